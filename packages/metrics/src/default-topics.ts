/** The topics of a stream whose client names none; existing clients depend on exactly these. */
export const DEFAULT_STREAM_TOPICS: readonly string[] = [
  'total/*',
  'battery_*/voltage',
  'battery_*/state_of_charge',
  'battery_*/power',
  'battery_*/temperature',
  'inverter_*/pv_power',
  'inverter_*/load_power',
  'inverter_*/grid_power',
  'inverter_*/device_mode',
  'inverter_*/temperature',
];
