import { randomInt } from 'node:crypto';
import type { DeviceConnectAnswer, DeviceConnectBody } from '@heliograph/contracts';
import { type Clock, Forbidden, Unauthorized } from '@heliograph/kit';
import {
  DEVICE_PROOF_REPLAY_MS,
  deviceProofDigest,
  InvalidToken,
  uidOf,
  verifyDeviceProof,
} from '@heliograph/wire';
import type { ClientAddress } from '../../common/client-address.ts';
import { Unavailable } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { KeyService } from '../keys/service.ts';
import type { MemberService } from '../members/service.ts';
import type { ProxyService } from '../proxies/service.ts';
import type { EnrolledDevice, EnrolmentRepository, ProofUse } from './enrolments.ts';
import { type ReportedFacts, readFacts } from './facts.ts';
import { CONNECTS_PER_ADDRESS, CONNECTS_PER_DEVICE, ENROLMENTS_PER_ADDRESS } from './limits.ts';
import { presentReady, presentWaiting } from './present.ts';
import { retryAfterS } from './retry.ts';
import type { DeviceService } from './service.ts';

/** When a device should come back while no proxy is there, in seconds. */
const NO_PROXY_RETRY_S = 5;

/**
 * Devices that one process admits at a time. Beyond it they are told to come back: with thousands waiting, each would
 * have given up before its turn, and ask again. Simulated in `bench/scale`.
 */
const MAX_AT_ONCE = 200;
/** When they should come back, in seconds: not all at once. */
const BUSY_RETRY_S = { min: 5, max: 30 };

export interface ConnectOptions {
  readonly db: Database;
  readonly enrolments: EnrolmentRepository;
  readonly devices: DeviceService;
  readonly proxies: ProxyService;
  readonly members: MemberService;
  readonly keys: KeyService;
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** Whether a device is activated by its first call. */
  readonly activateAtOnce: boolean;
  /** The cloud's public URL, for which a device makes its proof. */
  readonly cloudUrl: () => string;
}

/** The way in for devices. */
export class ConnectService {
  readonly #options: ConnectOptions;
  #atOnce = 0;

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  /**
   * Enrols a device on its first call, stores its facts, and tells it where to dial once it belongs to a site.
   *
   * @throws Unauthorized when the proof is not one by this key for this cloud, or was used before; Forbidden for a
   * revoked device; Unavailable without a proxy, and when too many call at once; TooManyRequests
   */
  async connect(body: DeviceConnectBody, clientAddress: ClientAddress): Promise<DeviceConnectAnswer> {
    const uid = uidOf(body.public_key);
    const facts = readFacts(body, clientAddress.address);
    await this.#verify(body, uid, clientAddress);
    // Only those count who proved their keys: a stranger without one keeps nobody out.
    if (this.#atOnce >= MAX_AT_ONCE) {
      throw new Unavailable(
        'Too many devices call at once',
        randomInt(BUSY_RETRY_S.min, BUSY_RETRY_S.max + 1),
      );
    }
    this.#atOnce++;
    try {
      return await this.#wayIn(uid, body, facts, clientAddress);
    } finally {
      this.#atOnce--;
    }
  }

  async #wayIn(
    uid: string,
    body: DeviceConnectBody,
    facts: ReportedFacts,
    clientAddress: ClientAddress,
  ): Promise<DeviceConnectAnswer> {
    const { limits, clock, keys, proxies, enrolments, members } = this.#options;
    await limits.consume(CONNECTS_PER_ADDRESS, clientAddress.network);
    const entry = await this.#spend(body, uid, facts);
    await limits.consume(CONNECTS_PER_DEVICE, uid);
    const { device, hasChanges } = await this.#admit(uid, body, facts, entry, clientAddress);
    const { siteId, siteName, activatedAt, enrolledAt, region } = device;
    const mayDial = activatedAt !== null && siteId !== null;
    const { unreachable = [] } = body;
    const regions = [facts.requestedRegion, region];
    const proxy = mayDial ? await proxies.assign({ presence: device, regions, unreachable }) : undefined;
    if (hasChanges || (proxy !== undefined && proxy.name !== device.assignedProxy)) {
      await enrolments.storeFacts(uid, facts, proxy?.name);
    }
    const nowMs = clock.now();
    if (activatedAt === null) {
      return presentWaiting('inactive', retryAfterS(nowMs - (enrolledAt?.getTime() ?? nowMs)));
    }
    if (siteId === null) {
      return presentWaiting('unregistered', retryAfterS(nowMs - activatedAt.getTime()));
    }
    if (proxy === undefined) throw new Unavailable('No proxy is available', NO_PROXY_RETRY_S);
    const [tunnelToken, revocations] = await Promise.all([
      keys.authorizeTunnel({ uid, siteId, proxy: proxy.name }),
      members.revocationsOf(siteId),
    ]);
    return presentReady({ id: siteId, name: siteName }, proxy, tunnelToken, revocations);
  }

  async #verify(
    { proof, public_key }: DeviceConnectBody,
    uid: string,
    clientAddress: ClientAddress,
  ): Promise<void> {
    const { clock, cloudUrl, limits } = this.#options;
    try {
      await verifyDeviceProof(proof, public_key, uid, cloudUrl(), clock.now());
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      await limits.consume(CONNECTS_PER_ADDRESS, clientAddress.network);
      throw new Unauthorized('The proof is not valid', error);
    }
  }

  /** A proof is good once. */
  async #spend({ proof }: DeviceConnectBody, uid: string, facts: ReportedFacts): Promise<ProofUse> {
    const { clock, enrolments } = this.#options;
    const expiresAt = new Date(clock.now() + DEVICE_PROOF_REPLAY_MS);
    const entry = await enrolments.useProof(uid, { digest: deviceProofDigest(proof), expiresAt }, facts);
    if (!entry.isFresh) throw new Unauthorized('The proof was used before');
    return entry;
  }

  /** @returns the device, and whether there is something to store */
  async #admit(
    uid: string,
    body: DeviceConnectBody,
    facts: ReportedFacts,
    { device, hasChanges }: ProofUse,
    clientAddress: ClientAddress,
  ): Promise<{ device: EnrolledDevice; hasChanges: boolean }> {
    if (device !== undefined && device.revokedAt !== null) throw new Forbidden('The device was revoked');
    const enrolled = device !== undefined && device.publicKey !== null;
    if (!enrolled || (this.#options.activateAtOnce && device.activatedAt === null)) {
      return { device: await this.#introduce(uid, body, facts, clientAddress), hasChanges: false };
    }
    return { device: requireKey(device, body), hasChanges };
  }

  /** The calls that make a device more than it was: the first, and the first that may activate it. */
  async #introduce(
    uid: string,
    body: DeviceConnectBody,
    facts: ReportedFacts,
    { address, network }: ClientAddress,
  ): Promise<EnrolledDevice> {
    const { db, enrolments, devices, limits, clock, activateAtOnce } = this.#options;
    await limits.consume(ENROLMENTS_PER_ADDRESS, network);
    const actor: Actor = { userId: null, tokenId: null, via: 'device', address };
    const { kty, crv, x } = body.public_key;
    return db.transaction().execute(async (tx) => {
      const at = new Date(clock.now());
      const added = await enrolments.enrol(tx, uid, { kty, crv, x }, at);
      requireKey(await enrolments.find(uid, tx), body);
      await enrolments.storeFacts(uid, facts, undefined, tx);
      if (activateAtOnce) await devices.activateIn(tx, actor, uid, { by: 'policy' });
      const device = requireKey(await enrolments.find(uid, tx), body);
      if (added) {
        const event = { action: 'device.enrolled', deviceUid: uid } as const;
        await recordAudit(tx, actor, at, { ...event, organizationId: device.organizationId });
      }
      return device;
    });
  }
}

/**
 * A uid is 100 bits of its key's digest: two keys that share one must not share a device.
 *
 * @throws Unauthorized
 */
function requireKey(device: EnrolledDevice | undefined, { public_key }: DeviceConnectBody): EnrolledDevice {
  if (device?.publicKey?.x !== public_key.x) throw new Unauthorized('The proof is not valid');
  return device;
}
