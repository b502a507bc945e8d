/** What the inputs of settings have in common. */
export interface ControlProps {
  readonly id: string;
  /** What stands in it now. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
  /** Ids of what tells more about it. */
  readonly describedBy: string;
}
