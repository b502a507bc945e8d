import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const certPath = join(import.meta.dirname, 'fixtures/test-only-region-cert.pem');
const keyPath = join(import.meta.dirname, 'fixtures/test-only-region-key.pem');

/**
 * A certificate for every name below eu.example.org that signed itself, PEM. Its key is public: it protects nothing
 * but tests. It was made with
 *
 *     openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
 *       -subj "/CN=heliograph test only" -addext "subjectAltName=DNS:*.eu.example.org" \
 *       -keyout test-only-region-key.pem -out test-only-region-cert.pem
 */
export const REGION_TLS = { certPath, keyPath, cert: readFileSync(certPath), key: readFileSync(keyPath) };
