const keys = new WeakMap<object, string>();
let made = 0;

/** Distinguishes devices and other sources in the keys of queries: the client itself has no name. */
export function deviceKey(device: object | undefined): string {
  if (device === undefined) return 'none';
  const known = keys.get(device);
  if (known !== undefined) return known;
  made += 1;
  const key = `device ${made}`;
  keys.set(device, key);
  return key;
}

/** Of the query for facts about the device. */
export function deviceAboutKey(device: object | undefined): readonly string[] {
  return ['device', deviceKey(device), 'about'];
}
