/** Re-exports the metrics library for a dynamic import: a bundle keeps only those exports of a package that are imported by name. */
export { Counter, Gauge, Registry } from 'prom-client';
