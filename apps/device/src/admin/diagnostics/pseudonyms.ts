export type PseudonymKind = 'device' | 'serial' | 'mac' | 'port' | 'host';

/** Names for what identifies a thing: the same thing has the same name within one bundle, and none across two. */
export class Pseudonyms {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<PseudonymKind, number>();

  /** Such as `serial-1`. */
  of(kind: PseudonymKind, value: string): string {
    const key = keyOf(kind, value);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const name = `${kind}-${number}`;
    this.#names.set(key, name);
    return name;
  }
}

/** A MAC address is the same in every way of writing it. */
function keyOf(kind: PseudonymKind, value: string): string {
  return kind === 'mac' ? `mac ${value.replaceAll(/[^0-9a-f]/gi, '').toLowerCase()}` : `any ${value}`;
}
