export { jk as family } from './family.ts';
export { acknowledgement, encodePbRequest, RECORD, RECORD_LENGTH, type RecordKind } from './pb-frame.ts';
export { encodeUartFrame, READ_ALL_REQUEST } from './uart-frame.ts';
