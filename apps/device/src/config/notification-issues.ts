import type { YamlIssue } from '../common/yaml/source.ts';
import type { ConfigFile } from './config-file.ts';
import type { NotificationConfig, SmtpConfig } from './notification-config.ts';

type Entry = NonNullable<ConfigFile['notifications']>[number];

/** The fields of each kind of receiver; the first one names the kind. */
const KINDS = {
  ntfy: { required: ['ntfy'], optional: ['token'] },
  smtp: { required: ['smtp', 'from', 'to'], optional: ['username', 'password', 'ca_file'] },
} as const;

/** The problems of receivers of alerts beyond the schema: each is of one kind, and has the fields of that kind. */
export function notificationIssues(entries: readonly Entry[]): YamlIssue[] {
  return entries.flatMap((entry, index) =>
    issuesOf(entry).map(({ field, message }) => ({
      path: ['notifications', index, ...(field === undefined ? [] : [field])],
      message,
    })),
  );
}

function issuesOf(entry: Entry): { field?: string; message: string }[] {
  if ((entry.ntfy === undefined) === (entry.smtp === undefined))
    return [{ message: 'needs one of "ntfy" and "smtp"' }];
  const [own, other] = entry.ntfy === undefined ? [KINDS.smtp, KINDS.ntfy] : [KINDS.ntfy, KINDS.smtp];
  const missing = own.required.filter((field) => entry[field] === undefined);
  const foreign = [...other.required, ...other.optional].filter((field) => entry[field] !== undefined);
  const issues: { field?: string; message: string }[] = [
    ...missing.map((field) => ({ message: `needs "${field}", too` })),
    ...foreign.map((field) => ({ field, message: `does not belong to "${own.required[0]}"` })),
  ];
  if ((entry.username === undefined) !== (entry.password === undefined))
    issues.push({ message: 'needs both of "username" and "password", or none' });
  return issues;
}

/** @param entry one without issues @param ca what is in its `ca_file`, PEM */
export function notificationOf(
  entry: Entry,
  { ca, ...defaults }: Pick<NotificationConfig, 'severity' | 'language'> & Pick<SmtpConfig, 'ca'>,
): NotificationConfig {
  const { ntfy, token, smtp, username, password, from = '', to = [] } = entry;
  const receiver = {
    severity: entry.severity ?? defaults.severity,
    language: entry.language ?? defaults.language,
  };
  if (smtp === undefined) return { ...receiver, ntfy: ntfy ?? '', token };
  return { ...receiver, smtp, username, password, ca, from, to };
}
