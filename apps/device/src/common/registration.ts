/** Whether the cloud has answered that the device belongs to a site: until then it refuses data of the device. */
export class Registration {
  readonly #listeners = new Set<() => void>();
  #isConfirmed = false;

  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  set(isConfirmed: boolean): void {
    if (isConfirmed === this.#isConfirmed) return;
    this.#isConfirmed = isConfirmed;
    if (isConfirmed) for (const listener of this.#listeners) listener();
  }

  /** @param listener called now if it is confirmed, and whenever it becomes so @returns ends the calls */
  whenConfirmed(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#isConfirmed) listener();
    return () => this.#listeners.delete(listener);
  }
}
