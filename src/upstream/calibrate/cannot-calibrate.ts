/** The service cannot be calibrated, at least for now. The message says why, and what to do. */
export class CannotCalibrate extends Error {}
