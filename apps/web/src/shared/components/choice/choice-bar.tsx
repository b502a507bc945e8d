import { type ReactNode, useId } from 'react';
import classes from './choice-bar.module.css';

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Shown instead of the label. */
  readonly icon?: ReactNode;
}

interface ChoiceBarProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A radio group in a row, which wraps on a phone. Mantine's SegmentedControl takes 3 KB of script and does not wrap. */
export function ChoiceBar<Value extends string>({ label, choices, value, onChange }: ChoiceBarProps<Value>) {
  const name = useId();
  return (
    <fieldset className={classes.bar} aria-label={label}>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={classes.choice}
          {...(choice.value === value && { 'data-checked': true })}
          {...(choice.icon !== undefined && { title: choice.label, 'data-icon': true })}
        >
          <input
            type="radio"
            name={name}
            {...(choice.icon !== undefined && { 'aria-label': choice.label })}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.icon ?? choice.label}
        </label>
      ))}
    </fieldset>
  );
}
