import type { DeviceConnectAnswer, DeviceConnectBody } from '@heliograph/contracts';
import { BadRequest, type Clock, Unauthorized } from '@heliograph/kit';
import { InvalidToken, uidOf, verifyDeviceProof } from '@heliograph/wire';
import { Unavailable } from '../../problems.ts';
import type { KeyService } from '../keys/service.ts';
import type { ProxyService } from '../proxies/service.ts';
import { presentReady, presentWaiting } from './present.ts';
import type { DeviceRecord, DeviceRepository, Facts, PublicKey } from './repository.ts';
import { retryAfterS } from './retry.ts';

/**
 * `last_seen_at` of a device that stays online is written once in this time, in milliseconds: proxies announce
 * every few seconds, and a write for each device each time would be most of what the database does.
 */
const LAST_SEEN_PRECISION_MS = 60_000;

/** When a device should come back while no proxy is there, in seconds. */
const NO_PROXY_RETRY_S = 5;

export interface DeviceOptions {
  /** Whether a device is activated by its first call. */
  readonly activateAtOnce: boolean;
  /** The cloud's public URL, for which a device makes its proof. */
  readonly cloudUrl: () => string;
}

export class DeviceService {
  readonly #devices: DeviceRepository;
  readonly #proxies: ProxyService;
  readonly #keys: KeyService;
  readonly #options: DeviceOptions;
  readonly #clock: Clock;

  constructor(
    devices: DeviceRepository,
    proxies: ProxyService,
    keys: KeyService,
    options: DeviceOptions,
    clock: Clock,
  ) {
    this.#devices = devices;
    this.#proxies = proxies;
    this.#keys = keys;
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Enrols a device on its first call, stores its facts, and tells it where to dial once it belongs to a site.
   *
   * @throws Unauthorized when the proof is not one by this key for this cloud; Unavailable without a proxy
   */
  async connect(body: DeviceConnectBody): Promise<DeviceConnectAnswer> {
    const uid = uidOf(body.public_key);
    await this.#verifyProof(body, uid);
    const device = await this.#enrol(uid, body);
    const nowMs = this.#clock.now();
    const { siteId, siteName, activatedAt, enrolledAt } = device;
    if (activatedAt === null) {
      return presentWaiting('inactive', retryAfterS(nowMs - (enrolledAt?.getTime() ?? nowMs)));
    }
    if (siteId === null) {
      return presentWaiting('unregistered', retryAfterS(nowMs - activatedAt.getTime()));
    }
    const proxy = (await this.#proxies.directory()).best(device.region ?? undefined);
    if (proxy === undefined) throw new Unavailable('No proxy is available', NO_PROXY_RETRY_S);
    await this.#devices.assign(uid, proxy.name);
    const tunnelToken = await this.#keys.authorizeTunnel({ uid, siteId, proxy: proxy.name });
    return presentReady({ id: siteId, name: siteName }, proxy, tunnelToken);
  }

  /** Takes a proxy's word for which devices it holds: these are online, the others it held are not. */
  async markPresence(proxyName: string, uids: readonly string[]): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#devices.markOthersOffline(proxyName, uids);
    if (uids.length === 0) return;
    const staleBefore = new Date(nowMs - LAST_SEEN_PRECISION_MS);
    await this.#devices.markOnline(proxyName, uids, new Date(nowMs), staleBefore);
  }

  async #verifyProof({ proof, public_key }: DeviceConnectBody, uid: string): Promise<void> {
    try {
      await verifyDeviceProof(proof, public_key, uid, this.#options.cloudUrl(), this.#clock.now());
    } catch (error) {
      if (error instanceof InvalidToken) throw new Unauthorized('The proof is not valid', error);
      throw error;
    }
  }

  async #enrol(uid: string, body: DeviceConnectBody): Promise<DeviceRecord> {
    const { kty, crv, x } = body.public_key;
    const publicKey: PublicKey = { kty, crv, x };
    await this.#devices.enrol({
      uid,
      publicKey,
      facts: factsOf(body),
      at: new Date(this.#clock.now()),
      activate: this.#options.activateAtOnce,
    });
    const device = await this.#devices.find(uid);
    // A uid is 100 bits of its key's digest; two keys that share one must not share a device.
    if (device === undefined || device.publicKey?.x !== x) throw new Unauthorized('The proof is not valid');
    return device;
  }
}

function factsOf({ facts }: DeviceConnectBody): Facts {
  const buildDate = facts.build_date === null ? null : new Date(facts.build_date);
  if (Number.isNaN(buildDate?.getTime())) throw new BadRequest('facts.build_date is not a date');
  return {
    arch: facts.arch,
    board: facts.board,
    version: facts.version,
    buildDate,
    localIp: facts.local_ip,
    inverter: facts.inverter,
    inverterCount: facts.inverter_count,
    battery: facts.battery,
    batteryCount: facts.battery_count,
  };
}
