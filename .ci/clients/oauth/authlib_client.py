"""authlib, as its documentation uses it for client credentials: nothing is said of Fieldstone but its addresses."""

import os

from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session

SERVER, CLIENT, SECRET = (os.environ[name] for name in ("FIELDSTONE", "CLIENT_ID", "CLIENT_SECRET"))
TOKENS = f"{SERVER}/oauth2/token"
AREAS = f"{SERVER}/v1/my/businessareas"


def session(method, secret=SECRET):
    return OAuth2Session(CLIENT, secret, token_endpoint_auth_method=method)


for method in ("client_secret_basic", "client_secret_post"):
    client = session(method)
    token = client.fetch_token(TOKENS, grant_type="client_credentials")
    assert token["token_type"] == "Bearer" and token["expires_in"] > 0, token
    answer = client.get(AREAS)
    assert answer.status_code == 200 and answer.json()["items"], answer.text
    try:
        session(method, "wrong").fetch_token(TOKENS, grant_type="client_credentials")
    except OAuthError as error:
        assert error.error == "invalid_client" and "not right" in error.description, error
    else:
        raise AssertionError("a wrong secret gives a token")
    try:
        session(method).fetch_token(TOKENS, grant_type="password", username="u", password="p")
    except OAuthError as error:
        assert error.error == "unsupported_grant_type", error
    else:
        raise AssertionError("another grant gives a token")
print("authlib: a token by Basic and by body, an answer with it, errors by their codes")
