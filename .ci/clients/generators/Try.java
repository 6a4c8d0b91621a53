// What openapi-generator (java, native) made of the document of the schema `Airport`, tried against a server.
//
//     java Try URL CLIENT_ID CLIENT_SECRET

import airport.ApiClient;
import airport.ApiException;
import airport.api.DataApi;
import airport.model.*;
import java.nio.file.Files;

public class Try {
    static void require(boolean holds, Object what) {
        if (!holds) throw new IllegalStateException(String.valueOf(what));
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        // a number that came as text is a fault to see, not a number
        client.getObjectMapper().disable(com.fasterxml.jackson.databind.MapperFeature.ALLOW_COERCION_OF_SCALARS);
        DataApi open = new DataApi(client);
        String token = open.issueToken(new ClientCredentials().clientId(args[1]).clientSecret(args[2])).getAccessToken();
        // the token stands in the header as it is, without `Bearer`
        client.setRequestInterceptor(request -> request.header("Authorization", token));
        DataApi data = new DataApi(client);

        String dataset = data.listDatasets(null, null).getItems().get(0).getDataSetId();
        NewRecord strip = new NewRecord().ICAO("XJV1").name("Java Field").country(CountryCode.DE).elevation(623.0)
            .latitude(50.823).longitude(6.1865).timeZone("Europe/Berlin");
        CleanRecord made = data.createDataObject(dataset, strip).getCleanRecord();
        try {
            require(made.getCountry() == CountryCode.DE && made.getElevation() == 623.0 && made.getVersion() == 0L, made);
            try {
                data.createDataObject(dataset, new NewRecord().ICAO("XJV1"));
                require(false, "two records of one key");
            } catch (ApiException refused) {
                require(refused.getCode() == 400 && refused.getResponseBody().contains("DUPLICATE_PRIMARY_KEY"), refused);
            }
            data.updateDataObject(dataset, made.getDataObjectId(),
                new RecordChanges().version(made.getVersion()).name("Java Strip"));
            CleanRecord found = data.getDataObjectByPrimaryKey(dataset, "XJV1").getCleanRecord();
            require(found.getName().equals("Java Strip") && found.getElevation() == 623.0, found);
            try {
                data.getDataObjectByPrimaryKey(dataset, "none/such");
                require(false, "a record that is not there");
            } catch (ApiException nobody) {
                require(nobody.getCode() == 404, nobody);
            }
            PageOfHit hits = data.searchDataObjects("Name:strip ICAO:xjv1", "Reference Data", "Airport", null, null, null, null);
            require(hits.getTotal() == 1L && hits.getHits().get(0).getCleanHit().getICAO().equals("XJV1"), hits);
            PageOfRecord page = data.listDataObjects(dataset, null, 100);
            require(page.getItems().size() == 100, page);
            // what is missing has no type to be wrong: `_errors` alone tells that a record is faulty
            CleanRecord faulty = data.createDataObject(dataset, new NewRecord().ICAO("XJV2")).getCleanRecord();
            require(!faulty.getErrors().isEmpty(), faulty);
            data.deleteDataObject(dataset, faulty.getDataObjectId());
            java.io.File file = Files.writeString(Files.createTempFile("strip", ".txt"), "a strip").toFile();
            require(data.uploadFile(dataset, file).getSize() == 7L, "the size of a file");
        } finally {
            data.deleteDataObject(dataset, made.getDataObjectId());
        }
        System.out.println("Java: created, read, changed, found, listed, uploaded, deleted");
    }
}
