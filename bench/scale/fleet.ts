import { RetrySlots, UPLINK_TIMES } from '@heliograph/dev';
import { Backoff } from '@heliograph/kit';
import { Calendar } from './calendar.ts';
import { Queue } from './queue.ts';
import type { Scenario } from './scenarios.ts';

/** Measured capacities of the parts. */
export interface Capacities {
  /** Processes of the cloud. */
  readonly clouds: number;
  /** Calls of devices that a process of the cloud answers in a second. */
  readonly callsPerCloudPerS: number;
  /** Cost of a call that is refused, as a share of one that is answered. */
  readonly refusalShare: number;
  /** Devices that one proxy takes in a second: TLS handshakes and tunnel tokens. */
  readonly dialsPerProxyPerS: number;
}

export interface Outcome {
  /** When devices were back, in milliseconds since the event, also where they had not noticed it at once; of those that are back. */
  readonly backMs: readonly number[];
  readonly notBack: number;
  /** Calls that the cloud got, by second. */
  readonly cloudCalls: readonly number[];
  /** The most calls that waited at the cloud. */
  readonly longestCloudQueue: number;
  /** Devices on the fullest proxy, as a multiple of the mean of those that are up. */
  readonly imbalance: number;
}

/** How long a device waits for the cloud, and for a proxy whose machine answers, in milliseconds. */
const CLOUD_PATIENCE_MS = 15_000;
const PROXY_PATIENCE_MS = 30_000;
/** Calls that one process of the cloud works on at a time. */
const CALL_CONCURRENCY = 200;
/** There and back over a home's line, in milliseconds. */
const ROUND_TRIP_MS = 50;

/** The next step of a device. */
type Step =
  | 'dial'
  | 'dial again'
  | 'ask the cloud'
  | 'wait for the cloud'
  | 'dial the new proxy'
  | 'wait for the proxy'
  | 'rest';

interface CloudProcess {
  readonly queue: Queue;
  readonly slots: RetrySlots;
}

/** A million devices that lost their tunnels, each of them following the uplink's rules with the uplink's times. */
export class Fleet {
  readonly #scenario: Scenario;
  readonly #calendar: Calendar;
  readonly #clouds: readonly CloudProcess[];
  readonly #refusalShare: number;
  readonly #doors: readonly Queue[];
  readonly #counts: number[];
  readonly #proxy: Uint16Array;
  readonly #steps: Step[];
  readonly #backoffs = new Map<number, Backoff>();
  readonly #backMs: number[] = [];
  readonly #cloudCalls: number[] = [];
  #lost = 0;

  constructor(
    scenario: Scenario,
    { clouds, callsPerCloudPerS, refusalShare, dialsPerProxyPerS }: Capacities,
  ) {
    const { devices, proxies, horizonMs, cloudShare } = scenario;
    this.#scenario = scenario;
    this.#calendar = new Calendar(devices, horizonMs);
    this.#refusalShare = refusalShare;
    this.#clouds = Array.from({ length: clouds * cloudShare }, () => ({
      queue: new Queue(callsPerCloudPerS),
      slots: new RetrySlots(),
    }));
    this.#doors = Array.from({ length: proxies }, () => new Queue(dialsPerProxyPerS));
    this.#counts = Array.from({ length: proxies }, () => 0);
    this.#proxy = new Uint16Array(devices);
    this.#steps = new Array<Step>(devices).fill('rest');
  }

  run(): Outcome {
    this.#begin();
    for (let due = this.#calendar.next(); due !== undefined; due = this.#calendar.next()) {
      for (const device of due) this.#act(device);
      if (this.#cloudIsUp) {
        for (const { queue } of this.#clouds) {
          for (const device of queue.serve()) this.#answer(device);
        }
      }
      this.#doors.forEach((door, proxy) => {
        if (this.#stateOf(proxy) === 'up') for (const device of door.serve()) this.#admit(device, proxy);
      });
      if (this.#backMs.length === this.#lost) break;
    }
    const up = this.#counts.filter((_count, proxy) => this.#stateOf(proxy) === 'up');
    return {
      backMs: this.#backMs,
      notBack: this.#lost - this.#backMs.length,
      cloudCalls: this.#cloudCalls,
      longestCloudQueue: Math.max(...this.#clouds.map(({ queue }) => queue.longest)),
      imbalance: (Math.max(...up) * up.length) / up.reduce((sum, count) => sum + count, 0),
    };
  }

  #begin(): void {
    const { devices, proxies, affected, noticedAfterMs, begins } = this.#scenario;
    for (let device = 0; device < devices; device++) {
      const proxy = device % proxies;
      this.#proxy[device] = proxy;
      if (affected(device, proxy)) {
        this.#lost++;
        this.#steps[device] = begins;
        const noticedMs = noticedAfterMs();
        this.#calendar.plan(device, noticedMs + (begins === 'dial' ? within(UPLINK_TIMES.redial) : 0));
      } else this.#count(proxy, 1);
    }
  }

  #act(device: number): void {
    switch (this.#steps[device]) {
      case 'dial':
        this.#dial(device, 'dial again');
        break;
      case 'dial again':
        this.#dial(device, 'ask the cloud');
        break;
      case 'ask the cloud':
        this.#requestTicket(device);
        break;
      case 'dial the new proxy':
        this.#dial(device, 'rest');
        break;
      default:
        this.#rest(device);
    }
  }

  #dial(device: number, otherwise: Step): void {
    const proxy = this.#proxy[device] ?? 0;
    const state = this.#stateOf(proxy);
    if (state === 'up') {
      this.#doors[proxy]?.add(device);
      // The cloud has already counted these devices at their proxy.
      if (otherwise !== 'rest') this.#count(proxy, 1);
      this.#next(device, 'wait for the proxy', PROXY_PATIENCE_MS);
    } else if (state === 'silent') this.#next(device, 'ask the cloud', UPLINK_TIMES.ticketDialMs);
    else if (otherwise === 'rest') this.#rest(device);
    else this.#next(device, otherwise, otherwise === 'dial again' ? within(UPLINK_TIMES.redialAgain) : 0);
  }

  #requestTicket(device: number): void {
    const second = Math.floor(this.#calendar.nowMs / 1000);
    this.#cloudCalls[second] = (this.#cloudCalls[second] ?? 0) + 1;
    const cloud = this.#clouds[Math.floor(Math.random() * this.#clouds.length)];
    if (!this.#cloudIsUp || cloud === undefined) this.#rest(device);
    else if (cloud.queue.length >= CALL_CONCURRENCY) {
      cloud.queue.spend(this.#refusalShare);
      const afterMs = cloud.slots.next(this.#calendar.nowMs) * 1_000 * (1 + 0.2 * Math.random());
      this.#next(device, this.#scenario.begins, Math.max(afterMs, this.#backoffOf(device).nextMs()));
    } else {
      cloud.queue.add(device);
      this.#next(device, 'wait for the cloud', CLOUD_PATIENCE_MS);
    }
  }

  /** The cloud also works for those who have given up by then. */
  #answer(device: number): void {
    if (this.#steps[device] !== 'wait for the cloud') return;
    let best = -1;
    for (let proxy = 0; proxy < this.#counts.length; proxy++) {
      if (this.#stateOf(proxy) !== 'up' || this.#scenario.draining(proxy)) continue;
      if (best < 0 || (this.#counts[proxy] ?? 0) < (this.#counts[best] ?? 0)) best = proxy;
    }
    if (best < 0) {
      this.#rest(device);
      return;
    }
    this.#proxy[device] = best;
    this.#count(best, 1);
    this.#next(device, 'dial the new proxy', ROUND_TRIP_MS);
  }

  #admit(device: number, proxy: number): void {
    if (this.#steps[device] !== 'wait for the proxy' || this.#proxy[device] !== proxy) return;
    this.#steps[device] = 'rest';
    this.#calendar.cancel(device);
    this.#backoffs.delete(device);
    this.#backMs.push(this.#calendar.nowMs + ROUND_TRIP_MS);
  }

  #rest(device: number): void {
    const step = this.#steps[device];
    if (step === 'dial the new proxy' || step === 'wait for the proxy')
      this.#count(this.#proxy[device] ?? 0, -1);
    this.#next(device, this.#scenario.begins, this.#backoffOf(device).nextMs());
  }

  #backoffOf(device: number): Backoff {
    const backoff = this.#backoffs.get(device) ?? new Backoff(UPLINK_TIMES.retry);
    this.#backoffs.set(device, backoff);
    return backoff;
  }

  #next(device: number, step: Step, afterMs: number): void {
    this.#steps[device] = step;
    this.#calendar.plan(device, afterMs);
  }

  #count(proxy: number, by: number): void {
    this.#counts[proxy] = (this.#counts[proxy] ?? 0) + by;
  }

  #stateOf(proxy: number): 'up' | 'refusing' | 'silent' {
    return this.#scenario.proxyState(proxy, this.#calendar.nowMs);
  }

  get #cloudIsUp(): boolean {
    return this.#scenario.cloudIsUp(this.#calendar.nowMs);
  }
}

function within({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }): number {
  return minMs + Math.random() * (maxMs - minMs);
}
