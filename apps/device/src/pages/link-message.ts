import { messageOf } from '@heliograph/kit';

/** Messages for Node's network errors, for people who look for a cable. */
const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it is there, and refuses the connection: is the port right?',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  EHOSTUNREACH: 'there is nothing at this address',
  EHOSTDOWN: 'there is nothing at this address',
  ENETUNREACH: 'there is no network that leads to this address',
  ETIMEDOUT: 'nothing answers at this address',
  ENOTFOUND: 'nothing on the network has this name',
  EAI_AGAIN: 'the name cannot be looked up: does the network work?',
};

/** Causes of causes; a chain is never longer, unless it is a circle. */
const MAX_DEPTH = 8;

/**
 * The reason why hardware or a server cannot be reached, for people.
 *
 * @param place a prefix of the message that the reader knows already
 */
export function linkMessage(error: unknown, place: string): string {
  let cause = error;
  for (let depth = 0; depth < MAX_DEPTH && cause instanceof Error; depth++) {
    const message = 'code' in cause ? MESSAGES[String(cause.code)] : undefined;
    if (message !== undefined) return message;
    cause = cause.cause;
  }
  const message = messageOf(error);
  return message.startsWith(`${place}: `) ? message.slice(place.length + 2) : message;
}
