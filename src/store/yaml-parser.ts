/** The parser of YAML, as a part that is loaded when first needed: a bundled package has its names only where they are imported by name. */
export { parse } from 'yaml';
