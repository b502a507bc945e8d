import type { AlertSeverity, Locale } from '@heliograph/contracts';

/** A receiver of alerts, to which the device sends without a cloud. */
export interface NotificationConfig {
  /** The topic of an ntfy server, such as `https://ntfy.sh/a-name-that-is-hard-to-guess`. */
  readonly ntfy: string;
  /** An access token, for a topic that is protected. */
  readonly token: string | undefined;
  /** The least severity that is sent. */
  readonly severity: AlertSeverity;
  readonly language: Locale;
}
