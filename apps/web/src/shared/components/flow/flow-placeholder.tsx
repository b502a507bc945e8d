import { Placeholder } from '../states/placeholder.tsx';
import classes from './energy-flow.module.css';

/** The place of the picture of flows where nothing is missing, so that what is below it need not move. */
export function FlowPlaceholder() {
  return (
    <div className={classes.figure}>
      <Placeholder className={classes.awaited} />
    </div>
  );
}
