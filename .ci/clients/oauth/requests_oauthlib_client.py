"""requests-oauthlib, as its documentation uses it for the "backend application flow"."""

import os

# the server of this test speaks plain HTTP, on this machine
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from oauthlib.oauth2 import BackendApplicationClient, InvalidClientError
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

SERVER, CLIENT, SECRET = (os.environ[name] for name in ("FIELDSTONE", "CLIENT_ID", "CLIENT_SECRET"))


def fetch(session, secret, in_body):
    if in_body:
        how = {"client_id": CLIENT, "client_secret": secret, "include_client_id": True}
    else:
        how = {"auth": HTTPBasicAuth(CLIENT, secret)}
    return session.fetch_token(token_url=f"{SERVER}/oauth2/token", **how)


for in_body in (False, True):
    session = OAuth2Session(client=BackendApplicationClient(client_id=CLIENT))
    fetch(session, SECRET, in_body)
    answer = session.get(f"{SERVER}/v1/my/businessareas")
    assert answer.status_code == 200 and answer.json()["items"], answer.text
    try:
        fetch(OAuth2Session(client=BackendApplicationClient(client_id=CLIENT)), "wrong", in_body)
    except InvalidClientError as error:
        assert "not right" in error.description, error
    else:
        raise AssertionError("a wrong secret gives a token")
print("requests-oauthlib: a token by Basic and by body, an answer with it, a wrong secret by its code")
