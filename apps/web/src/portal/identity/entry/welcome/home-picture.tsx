import classes from './home-picture.module.css';

/** A home in the sun: what its roof yields goes to the house, the battery and the grid. It only decorates. */
export function HomePicture() {
  return (
    <svg className={classes.picture} viewBox="0 0 600 430" aria-hidden="true" focusable="false">
      <circle className={classes.glow} cx={452} cy={112} r={104} />
      <circle className={classes.halo} cx={452} cy={112} r={68} />
      <circle className={classes.sun} cx={452} cy={112} r={42} />
      <path className={classes.hillFar} d="M0 330c90-62 176-62 262-22 92 42 190 26 338-40v162H0z" />
      <path className={classes.hillNear} d="M0 366c120-34 240-26 356-10 92 12 170 6 244-16v90H0z" />
      <Pylon />
      <House />
      <Battery />
      <g className={classes.wires}>
        <path className={classes.solarWire} d="M236 232v58" />
        <path className={classes.batteryWire} d="M268 316h94" />
        <path className={classes.gridWire} d="M204 316H96v-70" />
      </g>
      <circle className={classes.node} cx={236} cy={316} r={24} />
      <path className={classes.bolt} d="M240 300l-13 18h9l-3 14 13-18h-9z" />
    </svg>
  );
}

function House() {
  return (
    <g>
      <path className={classes.wall} d="M150 238h172v134H150z" />
      <path className={classes.roof} d="M124 244L192 158h130l42 86z" />
      <path className={classes.panel} d="M154 232l49-62h108l30 62z" />
      <path
        className={classes.cells}
        d="M190 187h128M172 209h157M221 170l-20 62M257 170l-7 62M291 170l8 62"
      />
      <path className={classes.window} d="M282 268h26v30h-26z" />
      <path className={classes.door} d="M166 318h30v54h-30z" />
    </g>
  );
}

function Battery() {
  return (
    <g>
      <rect className={classes.case} x={362} y={276} width={62} height={96} rx={10} />
      <rect className={classes.cap} x={382} y={268} width={22} height={9} rx={3} />
      <rect className={classes.charge} x={371} y={308} width={44} height={55} rx={5} />
    </g>
  );
}

function Pylon() {
  return (
    <path
      className={classes.pylon}
      d="M70 372L88 196h16l18 176M96 196v-14M58 226h76M66 252h60M82 252l34 60M110 252l-34 60M76 312h40"
    />
  );
}
