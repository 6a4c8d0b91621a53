// openid-client, as its documentation uses it for client credentials without discovery.
import assert from 'node:assert'
import * as client from 'openid-client'

const { FIELDSTONE, CLIENT_ID, CLIENT_SECRET } = process.env

function configured(secret, how) {
  const server = { issuer: FIELDSTONE, token_endpoint: `${FIELDSTONE}/oauth2/token` }
  const config = new client.Configuration(server, CLIENT_ID, undefined, how(secret))
  // the server of this test speaks plain HTTP, on this machine
  client.allowInsecureRequests(config)
  return config
}

const areas = new URL(`${FIELDSTONE}/v1/my/businessareas`)
for (const how of [client.ClientSecretBasic, client.ClientSecretPost]) {
  const config = configured(CLIENT_SECRET, how)
  const token = await client.clientCredentialsGrant(config)
  assert.equal(token.token_type, 'bearer')
  const answer = await client.fetchProtectedResource(config, token.access_token, areas, 'GET')
  assert.equal(answer.status, 200)
  assert.ok((await answer.json()).items.length > 0)
  const refused = await client.clientCredentialsGrant(configured('wrong', how)).then(
    () => assert.fail('a wrong secret gives a token'),
    (error) => error,
  )
  if (how === client.ClientSecretBasic) {
    // it looks at the challenge first
    assert.equal(refused.cause[0].scheme, 'basic')
  } else {
    assert.equal(refused.error, 'invalid_client')
    assert.match(refused.error_description, /not right/)
  }
}
console.log('openid-client: a token by Basic and by body, an answer with it, a wrong secret by challenge and code')
