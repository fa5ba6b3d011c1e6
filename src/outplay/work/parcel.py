"""Values sent between processes and machines, with their checksums."""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import dataclass
from typing import Any


class DamagedError(Exception):
    """The received bytes differ from those that were sent."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A pickled value with its checksum."""

    payload: bytes
    digest: bytes

    @classmethod
    def of(cls, value: Any) -> Parcel:
        payload = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        return cls(payload, checksum(payload))

    def open(self) -> Any:
        if checksum(self.payload) != self.digest:
            raise DamagedError("it does not match its checksum")
        return pickle.loads(self.payload)


def checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
