import type { DeviceConnectAnswer, DeviceConnectBody, RegistrationCode } from '@heliograph/contracts';
import { type Clock, Forbidden, Unauthorized } from '@heliograph/kit';
import { DEVICE_PROOF_REPLAY_MS, deviceProofDigest, uidOf } from '@heliograph/wire';
import { revocationsOfSite } from '../../access/revocations.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { Unavailable } from '../../common/errors.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { issueRegistrationCode, REGISTRATION_CODE_MS } from '../../db/registration-codes.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import type { SigningKeys } from '../../signing-keys/signing-keys.ts';
import {
  activeRecoverySessions,
  storeRecoveryReport,
} from '../../support/recovery-sessions/participation.ts';
import type { DevicePlatform } from '../platform.ts';
import type { ProxyService } from '../proxies/service.ts';
import { ConnectAdmission } from './connect-admission.ts';
import { DeviceDelegations } from './delegations.ts';
import { type EnrolledDevice, EnrolmentRepository, type ProofUse } from './enrolment-repository.ts';
import { type ReportedFacts, readFacts } from './facts.ts';
import { activateIn } from './lifecycle.ts';
import { CONNECTS_PER_DEVICE, ENROLMENTS_PER_ADDRESS } from './limits.ts';
import { presentReady, presentReleased, presentSession, presentWaiting } from './present.ts';

/** Retry-After for devices while there is no proxy, in seconds. */
const NO_PROXY_RETRY_S = 5;

/** Delay until the next call of a released device, in seconds. One whose page is open calls sooner. */
const RELEASED_RETRY_S = 60;

interface ConnectOptions {
  readonly db: Database;
  readonly enrolments: EnrolmentRepository;
  readonly proxies: ProxyService;
  readonly platform: Platform;
  readonly delegations: DeviceDelegations;
  readonly keys: SigningKeys;
  readonly limits: RateLimits;
  readonly mail: Pick<MailService, 'enqueue'>;
  readonly clock: Clock;
  /** Whether a device is activated by its first call. */
  readonly activatesAutomatically: boolean;
  /** The cloud's public URL, for which a device makes its proof. */
  readonly cloudUrl: () => string;
}

/** Enrols devices and assigns them to proxies. */
export class ConnectService {
  readonly #options: ConnectOptions;
  readonly #admission: ConnectAdmission;

  constructor(platform: ServerPlatform & DevicePlatform) {
    this.#options = {
      ...platform,
      platform,
      enrolments: new EnrolmentRepository(platform.db),
      delegations: new DeviceDelegations(platform),
      activatesAutomatically: platform.config.deviceActivation === 'automatic',
    };
    this.#admission = new ConnectAdmission(platform);
  }

  /**
   * Enrols a device on its first call, stores its facts, and returns the proxy to dial once it belongs to a site.
   *
   * @throws Unauthorized when the proof is not one by this key for this cloud, or was used before; Forbidden for a
   * revoked device; Unavailable without a proxy, and with too many concurrent calls; TooManyRequests
   */
  async connect(body: DeviceConnectBody, clientAddress: ClientAddress): Promise<DeviceConnectAnswer> {
    // Before the signature is verified, so that a refusal costs little; and once more after it.
    this.#admission.refuseBeyondLimit();
    const uid = uidOf(body.public_key);
    const facts = readFacts(body, clientAddress.address);
    return this.#admission.admit(body, uid, clientAddress, () =>
      this.#answer(uid, body, facts, clientAddress),
    );
  }

  async #answer(
    uid: string,
    body: DeviceConnectBody,
    facts: ReportedFacts,
    clientAddress: ClientAddress,
  ): Promise<DeviceConnectAnswer> {
    const { db, limits, clock, keys, proxies, enrolments, platform } = this.#options;
    const { delegations } = this.#options;
    const proofUse = await this.#useProof(body, uid, facts);
    await limits.consume(CONNECTS_PER_DEVICE, uid);
    const { device, hasChanges } = await this.#admit(uid, body, facts, proofUse, clientAddress);
    await this.#requireInstallation(uid, body, device, clientAddress);
    const { siteId, activatedAt, enrolledAt, region } = device;
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
    if (siteId === null && device.formerSiteId !== null) {
      return presentReleased(RELEASED_RETRY_S, await this.#registrationCode(uid, body, nowMs));
    }
    if (siteId === null) {
      return presentWaiting('unregistered', retryAfterS(nowMs - activatedAt.getTime()));
    }
    if (proxy === undefined) throw new Unavailable('No proxy is available', NO_PROXY_RETRY_S);
    // First, as a session that was ended on the device revokes tokens of its site.
    const received = await this.#report(siteId, body, clientAddress);
    const [tunnelToken, revocations, sessions] = await Promise.all([
      keys.authorizeTunnel({ uid, siteId, proxy: proxy.name }),
      // Hardly any device has either, and a million may call at once.
      device.hasRevocations || received.length > 0 ? revocationsOfSite(db, nowMs, siteId) : [],
      device.hasSupport ? activeRecoverySessions(platform, siteId) : [],
    ]);
    const support = { sessions: sessions.map(presentSession), received };
    // After the revocations that made the device call.
    const decided = await delegations.report(siteId, body.delegations, device.hasDelegations);
    return presentReady(device, proxy, { siteId, tunnelToken, revocations, support, delegations: decided });
  }

  /** For the page of the device: only a person on its home network reads it there. */
  async #registrationCode(
    uid: string,
    { wants_registration_code: isWanted }: DeviceConnectBody,
    nowMs: number,
  ): Promise<RegistrationCode | undefined> {
    if (isWanted !== true) return undefined;
    const lifetimeMs = REGISTRATION_CODE_MS.devicePage;
    const code = await issueRegistrationCode(this.#options.db, uid, new Date(nowMs + lifetimeMs));
    return code === undefined ? undefined : { code, expires_in_s: lifetimeMs / 1000 };
  }

  async #report(
    siteId: number,
    { support }: DeviceConnectBody,
    { address }: ClientAddress,
  ): Promise<string[]> {
    if (typeof support !== 'object' || support === null) return [];
    const actor: Actor = { userId: null, tokenId: null, via: 'device', address };
    return storeRecoveryReport(this.#options.platform, siteId, support, actor);
  }

  /** @throws Unauthorized for a proof that was used before */
  async #useProof({ proof }: DeviceConnectBody, uid: string, facts: ReportedFacts): Promise<ProofUse> {
    const { clock, enrolments } = this.#options;
    const expiresAt = new Date(clock.now() + DEVICE_PROOF_REPLAY_MS);
    const proofUse = await enrolments.useProof(uid, { digest: deviceProofDigest(proof), expiresAt }, facts);
    if (!proofUse.isFresh) throw new Unauthorized('The proof was used before');
    return proofUse;
  }

  /** @returns the device, and whether there are facts to store */
  async #admit(
    uid: string,
    body: DeviceConnectBody,
    facts: ReportedFacts,
    { device, hasChanges }: ProofUse,
    clientAddress: ClientAddress,
  ): Promise<{ device: EnrolledDevice; hasChanges: boolean }> {
    if (device !== undefined && device.revokedAt !== null) throw new Forbidden('The device was revoked');
    const enrolled = device !== undefined && device.publicKey !== null;
    if (!enrolled || (this.#options.activatesAutomatically && device.activatedAt === null)) {
      return { device: await this.#enrol(uid, body, facts, clientAddress), hasChanges: false };
    }
    return { device: requireKey(device, body), hasChanges };
  }

  /**
   * A restored device replaces the computer that it was on before, whichever calls: two with one identity would end each
   * other's tunnels for ever.
   *
   * @throws Forbidden for a computer that was replaced
   */
  async #requireInstallation(
    uid: string,
    { installation }: DeviceConnectBody,
    { installationId }: EnrolledDevice,
    { address }: ClientAddress,
  ): Promise<void> {
    if (installation === undefined || installation === installationId) return;
    const { db, enrolments, mail, clock } = this.#options;
    await db.transaction().execute(async (tx) => {
      const outcome = await enrolments.install(tx, uid, installation);
      if (outcome === 'replaced') throw new Forbidden(REPLACED);
      if (outcome !== 'installed') return;
      const { organizationId, site } = await enrolments.ownerOf(tx, uid);
      const actor: Actor = { userId: null, tokenId: null, via: 'device', address };
      const at = new Date(clock.now());
      const about = { organizationId, siteId: site?.id ?? null, deviceUid: uid };
      await recordAudit(tx, actor, at, { action: 'device.recovered', ...about });
      if (site === undefined) return;
      const { id, name, mailedOwnerId: userId, organizationId: ofSite } = site;
      if (userId === null) return;
      const notice = { name: name ?? `#${id}`, at: at.toISOString(), address };
      await mail.enqueue(tx, { kind: 'deviceRecovered', userId, organizationId: ofSite, ...notice });
    });
  }

  /** Handles a device's first call, and the first that can activate it. */
  async #enrol(
    uid: string,
    body: DeviceConnectBody,
    facts: ReportedFacts,
    { address, network }: ClientAddress,
  ): Promise<EnrolledDevice> {
    const { db, enrolments, limits, clock, activatesAutomatically } = this.#options;
    await limits.consume(ENROLMENTS_PER_ADDRESS, network);
    const actor: Actor = { userId: null, tokenId: null, via: 'device', address };
    const { kty, crv, x } = body.public_key;
    return db.transaction().execute(async (tx) => {
      const at = new Date(clock.now());
      const added = await enrolments.enrol(tx, uid, { kty, crv, x }, at);
      requireKey(await enrolments.find(uid, tx), body);
      await enrolments.storeFacts(uid, facts, undefined, tx);
      if (activatesAutomatically) await activateIn({ clock }, tx, actor, uid, { by: 'policy' });
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

const REPLACED =
  'This device was restored from a backup on another computer, which has replaced this one: remove one of them, or restore the backup here';

const MINUTE_MS = 60_000;

/**
 * The delay until the next call of a waiting device, in seconds: short while it is likely being set up. A device whose page
 * is open calls sooner.
 */
function retryAfterS(waitingMs: number): number {
  if (waitingMs < 5_000) return 1;
  if (waitingMs < MINUTE_MS) return 5;
  if (waitingMs < 15 * MINUTE_MS) return 15;
  return 60;
}
