// What openapi-typescript made of the document of the schema `Airport`, tried against a server with openapi-fetch.
//
//     try.ts URL CLIENT_ID CLIENT_SECRET AREA_ID SCHEMA_ID

import createClient from "openapi-fetch";
import type { components, paths } from "./airport.js";

const [url, clientId, clientSecret] = process.argv.slice(2) as [string, string, string];

function require<T>(value: T | undefined, what: unknown): T {
  if (value === undefined) throw new Error(JSON.stringify(what));
  return value;
}

function assert(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(what));
}

type Clean = components["schemas"]["CleanRecord"];

/** A record without faults: its values have the types that their fields ask for. */
function isClean(record: components["schemas"]["Record"]): record is Clean {
  return record._errors.length === 0;
}

const open = createClient<paths>({ baseUrl: url });
const issued = await open.POST("/oauth2/token", { body: { client_id: clientId, client_secret: clientSecret } });
const token = require(issued.data, issued.error).access_token;
// the token stands in the header as it is, without `Bearer`
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: token } });

const DATASETS = "DATASETS_PATH";
const RECORDS = `${DATASETS}/{datasetId}/dataobjects` as const;

const datasets = await client.GET(DATASETS);
const datasetId = require(datasets.data, datasets.error).items[0]!.dataSetId;

const created = await client.POST(RECORDS, {
  params: { path: { datasetId } },
  body: {
    ICAO: "XTS1",
    Name: "Script Field",
    Country: "DE",
    Elevation: 623,
    Latitude: 50.823,
    Longitude: 6.1865,
    "Time Zone": "Europe/Berlin",
  },
});
const made = require(created.data, created.error);
const path = { datasetId, dataObjectId: made._dataObjectId };
try {
  assert(isClean(made), made);
  const elevation: number = made.Elevation;
  const country: components["schemas"]["CountryCode"] = made.Country;
  assert(elevation === 623 && country === "DE" && made.City === null, made);

  const changed = await client.PUT(`${RECORDS}/{dataObjectId}`, {
    params: { path },
    body: { _version: made._version, Name: "Script Strip" },
  });
  assert(changed.response.status === 204, changed.error);

  const byKey = (pkValue: string) =>
    client.GET(`${RECORDS}/by-pk/{pkValue}`, { params: { path: { datasetId, pkValue } } });
  const found = await byKey("XTS1");
  assert(require(found.data, found.error).Name === "Script Strip", found.data);
  // a key that no record has is 404 without a body
  const nobody = await byKey("none/such");
  assert(nobody.data === undefined && nobody.response.status === 404, nobody.response.status);

  const search = await client.GET("/v1/dataobjects/search", {
    params: { query: { query: "Name:strip ICAO:xts1", businessArea: "Reference Data", schema: "Airport" } },
  });
  const hits = require(search.data, search.error);
  assert(hits.total === 1 && hits.hits[0]!.ICAO === "XTS1", hits);

  const listed = await client.GET(RECORDS, { params: { path: { datasetId }, query: { pageSize: 100 } } });
  assert(require(listed.data, listed.error).items.length === 100, listed.error);
} finally {
  const gone = await client.DELETE(`${RECORDS}/{dataObjectId}`, { params: { path } });
  assert(gone.response.status === 204, gone.error);
}
console.log("TypeScript: created, read, changed, found, listed, deleted");
