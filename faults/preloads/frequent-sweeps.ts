// Loaded into a service before its own code (`--import`): what it does every minute, it does every second.

const { setInterval: every } = globalThis;
const MINUTE = 60_000;

globalThis.setInterval = Object.assign(
  (task: () => void, milliseconds?: number) => every(task, milliseconds === MINUTE ? 1000 : milliseconds),
  every,
) as typeof every;
