/** One live connection to a bus. It carries one request at a time and is of no use after its first loss. */
export interface ModbusLink {
  readonly alive: boolean;

  /** @throws ModbusException when the unit refuses, LinkLost when no trustworthy answer came */
  read(unitId: number, address: number, count: number): Promise<readonly number[]>;

  /**
   * @param multiple whether to use function 16, which can write several, rather than 6
   * @throws ModbusException when the unit refuses, LinkLost when no trustworthy answer came
   */
  write(unitId: number, address: number, values: readonly number[], multiple: boolean): Promise<void>;

  /** Ends the connection; a request under way fails at once. */
  drop(): void;
}

/** The connection ended under a request, for one of these reasons; the request may have been carried out. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost';
  readonly reason: 'closed' | 'silent' | 'garbled';

  constructor(reason: LinkLost['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
