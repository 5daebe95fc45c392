// Generated from openapi/ by `npm run generate`.
import type { components } from './state.ts';

/** What the contract says of each operation: whether it writes, and may be sent again after a lost reply, its rate limit, and the names of its parameters. */
export const operationFacts = {
  "get-quiz-details": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "quizId": {}
    }
  },
  "update-digital-product-coupon": {
    "writes": true,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "serviceCouponCodeId": {},
      "serviceDigitalProductId": {},
      "serviceDigitalProductCouponSlug": {},
      "description": {},
      "expireAtIsoString": {},
      "shouldApplyAutomatically": {},
      "numberOfRedemptionsAllowed": {},
      "couponTypeData": {
        "type": {},
        "percentOff": {}
      }
    }
  },
  "update-interactive-coding-lab": {
    "writes": true,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "labId": {},
      "labTitle": {},
      "labDescriptionAsMarkdown": {},
      "defaultGitRepositoryUrl": {},
      "defaultGitRepositoryBranchName": {},
      "evaluationScriptBashCommand": {},
      "evaluationScriptTestFileContent": {},
      "testCases": {}
    }
  },
  "submit-user-course-item": {
    "writes": true,
    "safeToRepeat": false,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "courseItemId": {},
      "details": {
        "courseItemType": {},
        "questionsToUpsert": {
          "questionUniqueId": {},
          "newSelectedOptionIds": {}
        }
      },
      "userId": {},
      "userEmail": {},
      "shouldMarkAsCompleted": {}
    }
  },
  "create-instructor-account": {
    "writes": true,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "instructorEmail": {},
      "instructorName": {}
    }
  },
  "get-video-library": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "filterTerm": {},
      "pageNumber": {},
      "folderPath": {}
    }
  },
  "get-signed-url-data-for-live-event-session-playback": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "liveEventSessionId": {}
    }
  },
  "list-assignments": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "courseIdentifier": {
        "type": {},
        "digitalProductId": {}
      }
    }
  },
  "get-course-item-data": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "courseItemId": {}
    }
  },
  "get-instructor-permission-presets": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 60,
      "windowSeconds": 60
    },
    "parameters": {
      "pageNumber": {},
      "limit": {}
    }
  },
  "get-all-live-events": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 15,
      "windowSeconds": 60
    },
    "parameters": {}
  },
  "get-all-instructors": {
    "writes": false,
    "safeToRepeat": true,
    "limit": {
      "requests": 15,
      "windowSeconds": 60
    },
    "parameters": {}
  },
  "get-live-event-session-processed-mp4": {
    "writes": false,
    "safeToRepeat": true,
    "limit": null,
    "parameters": {
      "liveEventSessionId": {}
    }
  }
} as const;

/** The parameters that are objects with documented fields for only one type, with the type. */
export const typedFields = {
  "couponTypeData": "percent-off"
} as const;

/** The collections of a sandbox: which field holds the id, or ids, of records of which other collection. */
export const collectionReferences = {
  "schools": {},
  "products": {
    "schoolId": "schools"
  },
  "courseItems": {
    "schoolId": "schools",
    "productId": "products",
    "quizId": "quizzes"
  },
  "quizzes": {
    "schoolId": "schools"
  },
  "assignments": {
    "schoolId": "schools",
    "productId": "products"
  },
  "coupons": {
    "schoolId": "schools",
    "productId": "products"
  },
  "labs": {
    "schoolId": "schools"
  },
  "users": {
    "schoolIds": "schools"
  },
  "submissions": {
    "schoolId": "schools",
    "userId": "users",
    "courseItemId": "courseItems"
  },
  "instructors": {
    "schoolIds": "schools",
    "userId": "users"
  },
  "permissionPresets": {
    "schoolId": "schools"
  },
  "videos": {
    "schoolId": "schools"
  },
  "liveEvents": {
    "schoolId": "schools",
    "productId": "products"
  },
  "liveEventSessions": {
    "schoolId": "schools",
    "liveEventId": "liveEvents"
  }
} as const;

/** The fields of all collections that are times. */
export const timeFields: ReadonlySet<string> = new Set([
  "createdAt",
  "updatedAt",
  "createdAtIso",
  "expireAtIsoString",
  "lastUpdatedAt",
  "scheduledStartAtIso",
  "endsAtIso"
]);

/** What the records of schools are, in words: one, and several. */
export const recordNouns = {
  "products": [
    "product",
    "products"
  ],
  "courseItems": [
    "course item",
    "course items"
  ],
  "quizzes": [
    "quiz",
    "quizzes"
  ],
  "assignments": [
    "assignment",
    "assignments"
  ],
  "coupons": [
    "coupon",
    "coupons"
  ],
  "labs": [
    "lab",
    "labs"
  ],
  "users": [
    "user",
    "users"
  ],
  "submissions": [
    "submission",
    "submissions"
  ],
  "instructors": [
    "instructor",
    "instructors"
  ],
  "permissionPresets": [
    "permission preset",
    "permission presets"
  ],
  "videos": [
    "video",
    "videos"
  ],
  "liveEvents": [
    "live event",
    "live events"
  ],
  "liveEventSessions": [
    "live event session",
    "live event sessions"
  ]
} as const;

/** The record of each collection. */
export interface Records {
  readonly schools: components['schemas']['School'];
  readonly products: components['schemas']['Product'];
  readonly courseItems: components['schemas']['CourseItem'];
  readonly quizzes: components['schemas']['Quiz'];
  readonly assignments: components['schemas']['Assignment'];
  readonly coupons: components['schemas']['Coupon'];
  readonly labs: components['schemas']['Lab'];
  readonly users: components['schemas']['User'];
  readonly submissions: components['schemas']['Submission'];
  readonly instructors: components['schemas']['Instructor'];
  readonly permissionPresets: components['schemas']['PermissionPreset'];
  readonly videos: components['schemas']['Video'];
  readonly liveEvents: components['schemas']['LiveEvent'];
  readonly liveEventSessions: components['schemas']['LiveEventSession'];
}
