import type { Clock } from '@heliograph/kit';
import { NotFound } from '@heliograph/kit';
import type { Mail, Transport } from '../transport.ts';
import type { MailboxMessage, MailboxRepository } from './repository.ts';

/** Stores the mails of a development system, to be read on a page, instead of sending them. */
export class Mailbox implements Transport {
  readonly #messages: MailboxRepository;
  readonly #clock: Clock;

  constructor(messages: MailboxRepository, clock: Clock) {
    this.#messages = messages;
    this.#clock = clock;
  }

  deliver({ recipient, subject, text, html }: Mail): Promise<void> {
    const sentAt = new Date(this.#clock.now());
    return this.#messages.add({ sentAt, recipient: recipient.address, subject, text, html });
  }

  close(): void {}

  /** The newest first. */
  list(): Promise<MailboxMessage[]> {
    return this.#messages.list();
  }

  /** @throws NotFound */
  async message(id: number): Promise<MailboxMessage> {
    const message = await this.#messages.find(id);
    if (message === undefined) throw new NotFound();
    return message;
  }
}
