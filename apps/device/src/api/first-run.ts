import { AppError, Forbidden } from '@heliograph/kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NO_PASSWORD } from '../auth/guard.ts';
import { complaintAboutPassword } from '../auth/password-rule.ts';
import { homePage, PAGE_HEADERS, passwordPage } from './first-run-pages.ts';
import { refusalOfFirstRun } from './first-run-visitor.ts';
import { originOf } from './origin.ts';

/** The part of the device's password that a page may set. */
export interface FirstPassword {
  readonly isSet: boolean;
  /** @returns false when somebody else was first */
  setFirst(password: string): Promise<boolean>;
}

export interface FirstRunOptions {
  readonly password: FirstPassword;
}

/**
 * `GET /` tells people what this is. Until the device has a password it asks for one, and `POST /password` sets it:
 * on the local network alone, and from that very page.
 */
export function firstRunRoutes(root: FastifyInstance, { password }: FirstRunOptions): void {
  root.register(async (app) => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );

    app.get('/', (request, reply) => {
      if (password.isSet) return show(reply, 200, homePage());
      refuseStrangers(request);
      return show(reply, 200, passwordPage());
    });

    app.post('/password', async (request, reply) => {
      if (password.isSet) throw new Forbidden('This device has a password already');
      refuseStrangers(request);
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const wanted = form.get('password') ?? '';
      const flaw = complaintAboutPassword(wanted);
      if (flaw !== undefined) return show(reply, 422, passwordPage(`The password ${flaw}`));
      if (wanted !== form.get('again')) return show(reply, 422, passwordPage(NOT_THE_SAME));
      if (!(await password.setFirst(wanted))) throw new TooLate();
      return reply.headers(PAGE_HEADERS).redirect('/', 303);
    });
  });
}

const MAX_FORM_BYTES = 16 * 1024;
const NOT_THE_SAME = 'The two passwords are not the same';

class TooLate extends AppError {
  constructor() {
    super('Somebody else has just set a password', { code: 'password_is_set', status: 409 });
  }
}

function refuseStrangers(request: FastifyRequest): void {
  const { via } = originOf(request.raw);
  if (via === 'proxy') throw new Forbidden(NO_PASSWORD);
  const refusal = refusalOfFirstRun({
    address: request.raw.socket.remoteAddress ?? '',
    method: request.method,
    headers: request.headers,
  });
  if (refusal !== undefined) throw new Forbidden(refusal);
}

function show(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).send(html);
}
