export { expectArguments, parseArguments, UsageError } from './arguments.ts';
export { printable, printableJson } from './printable.ts';
export { Questions } from './questions.ts';
export { type Column, type TableStyle, table } from './table.ts';
