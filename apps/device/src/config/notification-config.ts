import type { AlertSeverity, Locale } from '@heliograph/contracts';

interface Receiver {
  /** The least severity that is sent. */
  readonly severity: AlertSeverity;
  readonly language: Locale;
}

/** A topic of an ntfy server. */
export interface NtfyConfig extends Receiver {
  /** Such as `https://ntfy.sh/a-name-that-is-hard-to-guess`. */
  readonly ntfy: string;
  /** An access token, for a topic that is protected. */
  readonly token: string | undefined;
}

/** Mail addresses behind a mail server. */
export interface SmtpConfig extends Receiver {
  /** Such as `smtps://mail.example.org`, or `smtp://mail.example.org:587` for TLS from the second command on. */
  readonly smtp: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Certificate authorities besides the usual ones, PEM. */
  readonly ca: string | undefined;
  /** The address of the sender. */
  readonly from: string;
  readonly to: readonly string[];
}

/** A receiver of alerts, to which the device sends without a cloud. */
export type NotificationConfig = NtfyConfig | SmtpConfig;
