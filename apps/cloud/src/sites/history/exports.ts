export { energySource } from './energy.ts';
export { mergeUpload, type StoredDay } from './merge-upload.ts';
export { daysOf } from './upload.ts';
