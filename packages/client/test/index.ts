export { FakeCloud } from './fake-cloud.ts';
export { type FakeCredentials, FakeDevice } from './fake-device.ts';
export { closeServer, listen } from './http.ts';
export { sampleMetric, sampleMetrics, sampleSite } from './samples.ts';
