/** Abbreviations of units that may follow a number, with their names in the singular and plural. */
export const units: ReadonlyMap<string, readonly [one: string, many: string]> = new Map(
  `km kilometer|cm centimeter|mm millimeter|nm nanometer|µm micrometer|μm micrometer|m meter|kg kilogram|g gram|mg milligram|mcg microgram|µg microgram
  |lb pound|lbs pound|oz ounce|ft foot feet|in inch inches|yd yard|mi mile|ml milliliter|mL milliliter|cl centiliter|dl deciliter|L liter|l liter
  |gal gallon|tsp teaspoon|tbsp tablespoon|kph kilometer_per_hour kilometers_per_hour|km/h kilometer_per_hour kilometers_per_hour
  |mph mile_per_hour miles_per_hour|m/s meter_per_second meters_per_second|ft/s foot_per_second feet_per_second|mpg mile_per_gallon miles_per_gallon
  |km/s kilometer_per_second kilometers_per_second|m/s² meter_per_second_squared meters_per_second_squared
  |km² square_kilometer|km2 square_kilometer|m² square_meter|m2 square_meter|cm² square_centimeter|ft² square_foot square_feet|sqft square_foot square_feet
  |sq_ft square_foot square_feet|sq_mi square_mile|sq_km square_kilometer|m³ cubic_meter|m3 cubic_meter|cm³ cubic_centimeter|cc c·c· c·c·|ha hectare
  |Hz hertz hertz|kHz kilohertz kilohertz|MHz megahertz megahertz|GHz gigahertz gigahertz|THz terahertz terahertz
  |KB kilobyte|kB kilobyte|MB megabyte|GB gigabyte|TB terabyte|PB petabyte|KiB kibibyte|MiB mebibyte|GiB gibibyte
  |kbps kilobit_per_second kilobits_per_second|Mbps megabit_per_second megabits_per_second|Gbps gigabit_per_second gigabits_per_second
  |kbit/s kilobit_per_second kilobits_per_second|Mbit/s megabit_per_second megabits_per_second|Gbit/s gigabit_per_second gigabits_per_second
  |MB/s megabyte_per_second megabytes_per_second|GB/s gigabyte_per_second gigabytes_per_second
  |hr hour|hrs hour|h hour|min minute|mins minute|sec second|secs second|s second|ms millisecond|µs microsecond|μs microsecond|ns nanosecond|yr year|yrs year
  |kWh kilowatt_hour|MWh megawatt_hour|Wh watt_hour|kW kilowatt|MW megawatt|GW gigawatt|W watt|V volt|kV kilovolt|mV millivolt|A amp|mA milliamp|mAh milliamp_hour|Ah amp_hour
  |kJ kilojoule|cal calorie|kcal kilocalorie|Pa pascal|kPa kilopascal|hPa hectopascal|psi P·S·I· P·S·I·|bar bar|dB decibel|Ω ohm|kΩ kilohm
  |°C degree_Celsius degrees_Celsius|°F degree_Fahrenheit degrees_Fahrenheit|° degree|°K kelvin|C degree_Celsius degrees_Celsius|F degree_Fahrenheit degrees_Fahrenheit
  |fps frame_per_second frames_per_second|rpm R·P·M· R·P·M·|bpm beat_per_minute beats_per_minute|px pixel|dpi D·P·I· D·P·I·|pt point|MP megapixel|ppm part_per_million parts_per_million`
    .split('|')
    .map(entry => {
      const [unit = '', one = '', many = `${one}s`] = entry.trim().split(' ')
      return [unit.replace('_', ' '), [said(one), said(many)]] as const
    }),
)

/** Letters after a number that are spoken by their names: `5 PM`, `4K`. */
export const scaledUnits = 'AM|PM|K|D|G|P|p'

function said(name: string): string {
  return name.replaceAll('_', ' ').replaceAll('c·c·', 'C·C·')
}
