import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf } from '@heliograph/kit';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** Certificates as PEM, or in plain words why the file that should hold them cannot be used. */
export type Certificates = { readonly pem: string } | { readonly complaint: string };

export function readCertificates(file: string): Certificates {
  if (!isAbsolute(file)) return { complaint: 'must be a whole path, such as /etc/ssl/broker.pem' };
  try {
    const certificates = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (certificates.length === 0) return { complaint: `${file} holds no certificate (PEM)` };
    for (const certificate of certificates) new X509Certificate(certificate);
    return { pem: certificates.join('\n') };
  } catch (error) {
    return { complaint: `${file} cannot be used: ${messageOf(error)}` };
  }
}
