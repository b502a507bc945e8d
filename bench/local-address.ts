/**
 * Every simulated home and client comes from an address of its own, as in life: the proxy's limits
 * per address are not measured.
 *
 * @returns an address of this machine's own network, another one for each number below 16 million
 */
export function localAddress(number: number): string {
  const n = number + 2;
  return `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
}
