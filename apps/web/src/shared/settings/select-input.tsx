import type { ControlProps } from './control-props.ts';
import classes from './controls.module.css';

interface SelectInputProps extends ControlProps {
  readonly options: readonly string[];
  /** What stands in it while the value is none of the options. */
  readonly unknown: string;
}

/** One of the texts that the device offers, as it has them. */
export function SelectInput({ options, unknown, text, onText, ...common }: SelectInputProps) {
  return (
    <span className={classes.field}>
      <select
        className={classes.input}
        id={common.id}
        value={text}
        disabled={common.isDisabled}
        aria-invalid={common.isInvalid || undefined}
        aria-describedby={common.describedBy}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        {!options.includes(text) && (
          <option value={text} disabled>
            {text || unknown}
          </option>
        )}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <svg className={classes.chevron} viewBox="0 0 16 16" aria-hidden="true">
        <path d="M4 6l4 4 4-4" />
      </svg>
    </span>
  );
}
