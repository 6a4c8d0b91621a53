// What the types are for: a record that is right is taken, one that is wrong is an error where it is wrong.

import { Checker, type Checked } from "./fieldstone.js";
import { load } from "./fieldstone-wasm.js";
import { CityKind, type City } from "./city.js";

const checker = new Checker("{}");
const checked: Checked = checker.check("{}");
const city: City = JSON.parse(checked.normalForm);
const elsewhere: Promise<Checked> = load(new Uint8Array()).then((module) => new module.Checker("{}").check("{}"));
const name: string = city["City Name"];
const kinds: (CityKind | null)[] = [city.Kind, CityKind.P, "Inland"];
const days: number[] | null = city["City Birthdays"];

// @ts-expect-error there is no such code
const other: CityKind = "Sea";
// @ts-expect-error a name is never missing
const nameless: City = { "City Name": null, Kind: "P", "City Birthdays": null };

export { days, elsewhere, kinds, name, nameless, other };
