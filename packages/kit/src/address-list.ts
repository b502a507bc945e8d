import { BlockList, isIP } from 'node:net';

/** A configured list of addresses and ranges. */
export class AddressList {
  readonly #ranges = new BlockList();
  readonly #empty: boolean;

  /**
   * @param texts addresses, or ranges such as `10.0.0.0/8`
   * @throws RangeError naming what is neither
   */
  constructor(texts: readonly string[]) {
    this.#empty = texts.length === 0;
    for (const text of texts) this.#add(text);
  }

  /** @param address of a client, IPv4 also in its notation as IPv6 */
  has(address: string): boolean {
    // An address with a zone means nothing on another machine.
    if (this.#empty || address.includes('%')) return false;
    const version = isIP(address);
    return version !== 0 && this.#ranges.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }

  #add(text: string): void {
    const [address = '', prefix, ...rest] = text.split('/');
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || rest.length > 0 || !(length <= bits)) {
      throw new RangeError(`"${text}" is neither an address nor a range such as 10.0.0.0/8`);
    }
    this.#ranges.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
}
