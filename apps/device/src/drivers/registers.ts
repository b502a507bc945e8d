/** Registers of one unit or service at one moment, by address; a register that was not read is missing. */
export type RegisterValues = ReadonlyMap<number, number>;

/** The label of each code that a register or a field can hold. */
export type CodeLabels = Readonly<Record<number, string>>;
