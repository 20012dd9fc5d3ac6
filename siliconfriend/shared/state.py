"""The parts that front ends agree on, opened together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from siliconfriend.keys import Keys
from siliconfriend.memory.jobs import Jobs
from siliconfriend.passwords import Passwords
from siliconfriend.shared.login_limits import LoginLimits
from siliconfriend.shared.replicas import Replicas
from siliconfriend.shared.request_rates import RequestRates
from siliconfriend.shared.sessions import Sessions


@dataclass(frozen=True, slots=True)
class SharedState:
    """What the front ends of one installation agree on.

    Attributes:
        passwords: who may log in to the page.
        keys: whose memory a program may reach.
        sessions: opens what knows who is logged in to the page.
        login_limits: how often somebody may try to log in.
        rates: opens what counts the requests of the API.
        jobs: erasings that are under way or were stopped.
        replicas: what the processes of the page tell each other of a talk.
        always_logs_in: people come to the page by log-in alone, wherever it listens.
    """

    passwords: Passwords
    keys: Keys
    sessions: Callable[[], Sessions]
    login_limits: LoginLimits
    rates: Callable[[], RequestRates]
    jobs: Jobs
    replicas: Replicas
    always_logs_in: bool = False
