import type { ActivationCode, CreatedActivationCode, PageQuery } from '@heliograph/contracts';
import { type Clock, NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { codeHash, newCode } from '../../common/secrets/typed-code.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import { addDelegation } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { DeviceAccess, DeviceService } from '../devices/service.ts';
import type { ActivationCodeRepository, CodeOwner } from './code-repository.ts';
import { requireCodeManager } from './policy.ts';
import { presentCode, presentNewCode } from './present.ts';

export interface CodeTerms {
  /** Null for a code of the service itself, which activates devices of no organization. */
  readonly organizationId: number | null;
  /** Number of devices that it activates. */
  readonly uses: number;
  readonly expiresAt: Date | null;
}

/** Codes that activate a device for any holder. */
export class ActivationCodeService {
  readonly #db: Database;
  readonly #codes: ActivationCodeRepository;
  readonly #devices: DeviceService;
  readonly #access: DeviceAccess;
  readonly #clock: Clock;

  constructor(
    db: Database,
    codes: ActivationCodeRepository,
    devices: DeviceService,
    access: DeviceAccess,
    clock: Clock,
  ) {
    this.#db = db;
    this.#codes = codes;
    this.#devices = devices;
    this.#access = access;
    this.#clock = clock;
  }

  /**
   * @param organizationId null for the codes of the service itself
   * @throws NotFound; Forbidden unless the caller manages the codes
   */
  async authorize(caller: Caller, organizationId: number | null): Promise<void> {
    const [reach, exists] = await Promise.all([
      this.#access.reachOf(caller),
      organizationId === null || this.#devices.organizationExists(organizationId),
    ]);
    requireCodeManager(reach, organizationId, exists);
  }

  /** @throws FreshSignInRequired */
  requireFresh(caller: Caller): void {
    requireFreshSignIn(caller, this.#clock.now());
  }

  /**
   * Creates a code, which is in the answer and stored only as a digest.
   *
   * @throws ValidationError
   */
  create(actor: Actor, terms: CodeTerms): Promise<CreatedActivationCode> {
    return this.#db.transaction().execute(async (tx) => {
      const made = await this.createIn(tx, actor, terms);
      const { organizationId } = terms;
      const about = { kind: 'activation_code', activationCodeId: made.id, organizationId } as const;
      if (actor.userId !== null) await addDelegation(tx, actor, about, this.#now());
      return made;
    });
  }

  /** As part of a transaction, for an order, whose buyer has paid for it. @throws ValidationError */
  async createIn(
    tx: Database,
    actor: Actor,
    { organizationId, uses, expiresAt }: CodeTerms,
  ): Promise<CreatedActivationCode> {
    const at = this.#now();
    requireFuture(expiresAt, at);
    const code = newCode();
    const record = await this.#codes.add(tx, {
      hash: codeHash(code),
      organizationId,
      uses,
      createdBy: actor.userId,
      createdAt: at,
      expiresAt,
    });
    const details = { code_id: record.id, uses, expires_at: expiresAt?.toISOString() ?? null };
    await recordAudit(tx, actor, at, { action: 'activation_code.created', organizationId, details });
    return presentNewCode(record, code);
  }

  /** @param organizationId null for the codes of the service itself */
  async list(organizationId: number | null, query: PageQuery): Promise<ActivationCode[]> {
    return (await this.#codes.list(organizationId, pageFrom(query))).map(presentCode);
  }

  /** The codes of all organizations and of the service itself. */
  async listAll(query: PageQuery): Promise<(ActivationCode & { readonly organization_id: number | null })[]> {
    const codes = await this.#codes.list('anyone', pageFrom(query));
    return codes.map((code) => ({ ...presentCode(code), organization_id: code.organizationId }));
  }

  /** Revokes a code; devices that it activated stay active. @throws NotFound */
  revoke(actor: Actor, owner: CodeOwner, id: number): Promise<void> {
    return this.#db.transaction().execute((tx) => this.revokeIn(tx, actor, owner, id));
  }

  /** As part of a transaction. @throws NotFound */
  async revokeIn(tx: Database, actor: Actor, owner: CodeOwner, id: number): Promise<void> {
    const removed = await this.#codes.remove(tx, owner, id);
    if (removed === undefined) throw new NotFound();
    const { organizationId } = removed;
    const event = { action: 'activation_code.revoked', organizationId, details: { code_id: id } } as const;
    await recordAudit(tx, actor, this.#now(), event);
  }

  /** Locks a code until the transaction ends. @returns undefined when there is none */
  usesLeft(tx: Database, id: number): Promise<number | undefined> {
    return this.#codes.usesLeft(tx, id);
  }

  /**
   * Activates a device with a code. An active device takes no use.
   *
   * @throws Unprocessable when the code is not valid for the device; NotFound
   */
  async redeem(actor: Actor, uid: string, code: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const device = await this.#devices.lock(tx, uid);
      if (device === undefined || device.revokedAt !== null) throw new NotFound();
      if (device.activatedAt !== null) return;
      const used = await this.#codes.use(tx, codeHash(code), device.organizationId, this.#now());
      if (used === undefined) throw new Unprocessable('The activation code is not valid or was used up');
      const { id: codeId, organizationId } = used;
      await this.#devices.activateIn(tx, actor, uid, { by: 'code', codeId, organizationId });
    });
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

/** @throws ValidationError */
function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && !(expiresAt > now))
    throw new ValidationError({ expires_at: ['must be in the future'] });
}
