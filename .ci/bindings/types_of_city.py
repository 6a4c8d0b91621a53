"""What the types are for: a record that is right is taken, one that is wrong is an error where it is wrong."""

import json
from typing import List, Optional

from city import City, CityKind
from fieldstone import Checked, Checker

checked: Checked = Checker("{}").check("{}")
city: City = json.loads(checked.normal_form)
name: str = city["City Name"]
is_port = city["Kind"] == CityKind.P.value
days: Optional[List[int]] = city["City Birthdays"]

other: City = {"City Name": "Delft", "Kind": "Sea", "City Birthdays": None}  # type: ignore[typeddict-item]
nameless: City = {"City Name": None, "Kind": "P", "City Birthdays": None}  # type: ignore[typeddict-item]
