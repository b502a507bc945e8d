import type { ControlProps } from './control-props.ts';
import classes from './controls.module.css';

interface TimeInputProps extends ControlProps {
  /** How far apart the times are that the device takes. */
  readonly stepMinutes: number;
}

/** A time of the day, in the browser's own picker. */
export function TimeInput({ stepMinutes, text, onText, ...common }: TimeInputProps) {
  return (
    <input
      className={classes.input}
      type="time"
      id={common.id}
      step={stepMinutes * 60}
      value={text}
      disabled={common.isDisabled}
      aria-invalid={common.isInvalid || undefined}
      aria-describedby={common.describedBy}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}
