import { chance } from '@heliograph/dev/plant';

/** Chances that are the same at every run with the same seed. */
export class Dice {
  readonly #keys: readonly number[];
  #throws = 0;

  /** @param keys whole numbers: a seed, and numbers that distinguish these dice from others of that seed */
  constructor(...keys: readonly number[]) {
    this.#keys = keys;
  }

  /** A number from the first up to, and without, the second. */
  between(low: number, high: number): number {
    const [seed = 0, ...more] = this.#keys;
    this.#throws += 1;
    return low + chance(seed, ...more, this.#throws) * (high - low);
  }

  /** @throws RangeError when there is nothing to pick from */
  pick<T>(options: readonly T[]): T {
    const picked = options[Math.floor(this.between(0, options.length))];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }

  /** All of them, in a random order. */
  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, at: this.between(0, 1) }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  }
}
