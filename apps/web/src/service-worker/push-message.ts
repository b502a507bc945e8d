import { parseUrl } from '@heliograph/kit/parse-url';

/** A message as the cloud pushes it. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** The path of these pages to which a click leads. */
  readonly path: string;
  /** A message takes the place of an earlier one with the same tag; undefined: of none. */
  readonly tag: string | undefined;
  /** How many alerts are open; undefined: unchanged. */
  readonly badge: number | undefined;
  readonly isCritical: boolean;
}

/** The path of a message that names none of these pages. */
const ALERTS_PATH = '/alerts';

/**
 * Reads a pushed message. A browser ends subscriptions whose messages show nothing, so that one that cannot be read still
 * has a title.
 *
 * @param origin of these pages: an address elsewhere is replaced
 */
export function readPushMessage(text: string, origin: string): PushMessage {
  const { title, body, url, tag, badge, severity } = fieldsOf(text);
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title : 'Heliograph',
    body: typeof body === 'string' ? body : '',
    path: pathOf(url, origin),
    tag: typeof tag === 'string' && tag !== '' ? tag : undefined,
    badge: typeof badge === 'number' && Number.isInteger(badge) && badge >= 0 ? badge : undefined,
    isCritical: severity === 'critical',
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function pathOf(address: unknown, origin: string): string {
  const url = typeof address === 'string' ? parseUrl(address, origin) : undefined;
  if (url === undefined || url.origin !== origin || url.pathname.startsWith('//')) return ALERTS_PATH;
  return `${url.pathname}${url.search}${url.hash}`;
}
