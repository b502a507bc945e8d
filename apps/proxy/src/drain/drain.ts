import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@heliograph/kit';
import type { Announcer } from '../announce/announcer.ts';
import type { InFlight } from '../site-proxy/in-flight.ts';
import type { DeviceSession } from '../tunnels/device-session.ts';
import type { SessionRegistry } from '../tunnels/session-registry.ts';
import type { TunnelAcceptor } from '../tunnels/tunnel-acceptor.ts';

/** All devices are asked within this time, in milliseconds, so that they do not come to the cloud in one instant. */
const SPREAD_MS = 12_000;
const TICK_MS = 100;
/** At least so many are asked at each tick: few devices are gone in no time. */
const MIN_BATCH_SIZE = 20;
/** Devices that are still here after so long are asked again, in milliseconds. */
const REPEAT_MS = 60_000;

/** Asks every device to dial another proxy, spread over time. */
class Evacuation {
  readonly #registry: SessionRegistry;
  #timer: NodeJS.Timeout | undefined;

  constructor(registry: SessionRegistry) {
    this.#registry = registry;
  }

  start(): void {
    if (this.#timer === undefined) this.#round();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #round(): void {
    const sessions = [...this.#registry.all()];
    const batchSize = Math.max(MIN_BATCH_SIZE, Math.ceil(sessions.length / (SPREAD_MS / TICK_MS)));
    this.#fetchOnce(sessions, 0, batchSize);
  }

  #fetchOnce(sessions: readonly DeviceSession[], from: number, batchSize: number): void {
    for (const session of sessions.slice(from, from + batchSize)) session.requestMove();
    const next = from + batchSize;
    this.#timer =
      next < sessions.length
        ? setTimeout(() => this.#fetchOnce(sessions, next, batchSize), TICK_MS)
        : setTimeout(() => this.#round(), REPEAT_MS).unref();
  }
}

/** Deadline of the announcement that the proxy stops, in milliseconds. */
const ANNOUNCE_MS = 1_000;
/** How long devices have to move to other proxies, in milliseconds; those that did not are sent away. */
const MOVE_MS = 20_000;
/** Deadline of a drain, in milliseconds; service managers kill the process after 30 s. */
const TOTAL_MS = 27_000;
/** How long requests may still take where devices have nowhere to go, in milliseconds. */
const FINISH_MS = 2_000;
/** How long requests may still come on connections that were opened in time, in milliseconds. */
const LATE_MS = 300;
const LOOK_MS = 20;

export interface DrainOptions {
  readonly registry: SessionRegistry;
  readonly tunnels: TunnelAcceptor;
  readonly inFlight: InFlight;
  readonly announcer: () => Announcer | undefined;
  readonly logger: Logger;
}

/**
 * Empties the proxy: no device is taken any more, and those that are here are asked to dial another proxy. Until a
 * device has, its requests go on over the tunnel it has; after that they are relayed.
 */
export class Drain {
  readonly #options: DrainOptions;
  readonly #evacuation: Evacuation;
  #wanted = false;
  #stopping = false;
  #others = false;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#evacuation = new Evacuation(options.registry);
  }

  /** Whether the proxy takes no more devices. */
  get active(): boolean {
    return this.#wanted || this.#stopping;
  }

  /**
   * Applies the cloud's answer to an announcement.
   *
   * @param wanted whether the operator wants the proxy emptied, which goes on running
   * @param others whether devices could go to another one
   */
  update(wanted: boolean, others: boolean): void {
    this.#others = others;
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#options.logger.info(
      wanted ? 'draining: the operator wants the proxy emptied' : 'taking devices again',
    );
    this.#apply();
  }

  /**
   * Empties the proxy for good. Resolves when nothing is under way any more, at the latest after 27 seconds. Where
   * there is no other proxy, it waits for requests alone, and not for long.
   *
   * @param stopListening called when clients have nothing to look for here any more
   */
  async stop(stopListening: () => Promise<void>): Promise<void> {
    const { registry, tunnels, inFlight, logger } = this.#options;
    const startedMs = performance.now();
    this.#stopping = true;
    tunnels.draining = true;
    let finishMs = FINISH_MS;
    let lateMs = 0;
    if (registry.size > 0 && (await this.#announce()) && this.#others) {
      logger.info({ devices: registry.size }, 'draining: devices are moving to other proxies');
      // After the announcement, or the cloud would send them here again.
      this.#evacuation.start();
      await until(() => registry.size === 0 || !this.#others, startedMs + MOVE_MS);
      if (this.#others) {
        finishMs = startedMs + TOTAL_MS - performance.now();
        lateMs = LATE_MS;
      }
    }
    this.#evacuation.stop();
    await stopListening();
    inFlight.endWebSockets();
    await delay(lateMs);
    const draining = [...registry.all()].map((session) => {
      // So that it knows that it may come back here: it was not sent away for good.
      session.requestMove();
      return session.link.drain(finishMs, 'the proxy stops');
    });
    await Promise.all([...draining, until(() => inFlight.requests === 0, performance.now() + finishMs)]);
    logger.info({ seconds: Math.round((performance.now() - startedMs) / 1000) }, 'drained');
  }

  #apply(): void {
    const { tunnels, announcer } = this.#options;
    tunnels.draining = this.active;
    if (this.active) this.#evacuation.start();
    else this.#evacuation.stop();
    announcer()?.changed();
  }

  /** @returns whether the cloud knows that no device is to be sent here, and has said whether there are others */
  async #announce(): Promise<boolean> {
    const announced = this.#options.announcer()?.announceNow() ?? false;
    return await Promise.race([announced, delay(ANNOUNCE_MS, false)]);
  }
}

async function until(condition: () => boolean, deadlineMs: number): Promise<void> {
  while (!condition() && performance.now() < deadlineMs) await delay(LOOK_MS);
}
