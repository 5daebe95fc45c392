/** The library that writes metrics, as a part that is loaded when first needed: a bundled package has its names only where they are imported by name. */
export { Counter, Gauge, Registry } from 'prom-client';
