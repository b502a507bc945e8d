const DAY_MS = 86_400_000;

interface Day {
  readonly number: number;
  /** The lifetime counter when it began. */
  readonly fromWh: number;
  mostW: number;
}

/** What a solar charger remembers of today and yesterday. */
export class YieldDays {
  #today: Day | undefined;
  #yesterday = { wattHours: 0, mostW: 0 };

  /**
   * @param totalWh the lifetime counter
   * @returns energies in Wh, powers in W
   */
  at(nowMs: number, totalWh: number, powerW: number) {
    const number = Math.floor(nowMs / DAY_MS);
    let today = this.#today ?? { number, fromWh: totalWh, mostW: 0 };
    if (today.number !== number) {
      this.#yesterday = { wattHours: totalWh - today.fromWh, mostW: today.mostW };
      today = { number, fromWh: totalWh, mostW: 0 };
    }
    today.mostW = Math.max(today.mostW, powerW);
    this.#today = today;
    return {
      todayWh: totalWh - today.fromWh,
      todayMostW: today.mostW,
      yesterdayWh: this.#yesterday.wattHours,
      yesterdayMostW: this.#yesterday.mostW,
      dayOfYear: number % 365,
    };
  }
}
