"""What openapi-python-client made of the document of the schema `Airport`, tried against a server.

    try.py URL CLIENT_ID CLIENT_SECRET
"""

import sys
from io import BytesIO

from airport_client import AuthenticatedClient, Client
from airport_client.api.data import (
    create_data_object,
    delete_data_object,
    get_data_object_by_primary_key,
    issue_token,
    list_data_objects,
    list_datasets,
    search_data_objects,
    update_data_object,
    upload_file,
)
from airport_client.models import (
    CleanHit,
    CleanRecord,
    ClientCredentials,
    CodedError,
    CountryCode,
    FaultyRecord,
    FileItem,
    PageOfHit,
    NewRecord,
    PageOfDatasetItem,
    PageOfRecord,
    RecordChanges,
    SearchDataObjectsBusinessArea,
    SearchDataObjectsSchema,
    TokenAnswer,
    UploadForm,
)
from airport_client.types import File

url, client_id, client_secret = sys.argv[1:]

token = issue_token.sync(
    client=Client(base_url=url),
    body=ClientCredentials(client_id=client_id, client_secret=client_secret),
)
assert isinstance(token, TokenAnswer), token
# the token stands in the header as it is, without `Bearer`
client = AuthenticatedClient(base_url=url, token=token.access_token, prefix="")

datasets = list_datasets.sync(client=client)
assert isinstance(datasets, PageOfDatasetItem), datasets
dataset = datasets.items[0].data_set_id

made = create_data_object.sync(
    dataset,
    client=client,
    body=NewRecord(
        icao="XPY1",
        name="Python Field",
        country=CountryCode.DE,
        elevation=623.0,
        latitude=50.823,
        longitude=6.1865,
        time_zone="Europe/Berlin",
    ),
)
assert isinstance(made, CleanRecord), made
assert made.country is CountryCode.DE and made.elevation == 623.0 and made.field_version == 0
try:
    again = create_data_object.sync(dataset, client=client, body=NewRecord(icao="XPY1"))
    assert isinstance(again, CodedError) and again.code == "DUPLICATE_PRIMARY_KEY", again

    changed = update_data_object.sync_detailed(
        dataset,
        made.field_data_object_id,
        client=client,
        body=RecordChanges(field_version=made.field_version, name="Python Strip", city=None),
    )
    assert changed.status_code == 204, changed

    found = get_data_object_by_primary_key.sync(dataset, "XPY1", client=client)
    assert isinstance(found, CleanRecord) and found.name == "Python Strip", found
    # a key that no record has is 404 without a body
    nobody = get_data_object_by_primary_key.sync_detailed(dataset, "none/such", client=client)
    assert nobody.status_code == 404 and nobody.parsed is None, nobody

    hits = search_data_objects.sync(
        client=client,
        query="Name:strip ICAO:xpy1",
        business_area=SearchDataObjectsBusinessArea.REFERENCE_DATA,
        schema=SearchDataObjectsSchema.AIRPORT,
    )
    assert isinstance(hits, PageOfHit) and hits.total == 1, hits
    hit = hits.hits[0]
    assert isinstance(hit, CleanHit) and hit.country is CountryCode.DE, hit

    page = list_data_objects.sync(dataset, client=client, page_size=100)
    assert isinstance(page, PageOfRecord) and len(page.items) == 100, page
    assert all(isinstance(record, (CleanRecord, FaultyRecord)) for record in page.items)

    file = upload_file.sync(dataset, client=client, body=UploadForm(file=File(payload=BytesIO(b"a strip"), file_name="a.txt")))
    assert isinstance(file, FileItem) and file.size == 7, file
finally:
    gone = delete_data_object.sync_detailed(dataset, made.field_data_object_id, client=client)
assert gone.status_code == 204, gone
print("Python: created, read, changed, found, listed, uploaded, deleted")
