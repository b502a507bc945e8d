/** Of every cloud in tests. */
export const CLOUD_SECRET = 'cloud-secret-of-the-tests-0123456789';
