// What the types are for: a record that is right is taken, one that is wrong is an error where it is wrong.

import { Checker, type Checked } from "./fieldstone.js";
import { CityKind, type City } from "./city.js";

const checker = new Checker("{}");
const checked: Checked = checker.check("{}");
const city: City = JSON.parse(checked.normalForm);
const name: string = city["City Name"];
const kinds: (CityKind | null)[] = [city.Kind, CityKind.P, "Inland"];
const days: number[] | null = city["City Birthdays"];

// @ts-expect-error there is no such code
const other: CityKind = "Sea";
// @ts-expect-error a name is never missing
const nameless: City = { "City Name": null, Kind: "P", "City Birthdays": null };

export { days, kinds, name, nameless, other };
