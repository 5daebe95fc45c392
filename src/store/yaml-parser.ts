/**
 * Re-exports the YAML parser for a dynamic import: a bundle keeps only those exports of a package that are
 * imported by name.
 */
export { parse } from 'yaml';
