export { type Fault, type FaultyLink, startFaultyLink } from './faulty-link.ts';
export { type RecordedUnit, recordedUnit } from './recorded-unit.ts';
export { mergeRecordings, type Recording, readRecording, recordedBank } from './recording.ts';
export {
  ModbusRefusal,
  type RegisterBank,
  type RegisterServer,
  type RegisterServerOptions,
  startRegisterServer,
} from './register-server.ts';
export { buildChain, type Chain, type ChainLink } from './sunspec-chain.ts';
