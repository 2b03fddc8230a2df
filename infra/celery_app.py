"""The Celery application, built from the settings. Tasks themselves live in the workers.

A task is a hint that carries ids: it may be lost, come late or twice. JSON only, no results, no times of
execution.
"""

from __future__ import annotations

from typing import Any

from celery import Celery

QUEUE = "turnkeeper"


def make_celery(broker_url: str | None, **overrides: Any) -> Celery:
    """An application that consumes and runs tasks; `overrides` are Celery settings. Nothing is connected yet."""
    app = Celery("turnkeeper", broker=broker_url or "memory://", set_as_current=False)
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_default_queue=QUEUE,
        task_acks_late=True,  # a worker that dies leaves its hint to another one
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={"visibility_timeout": 300},
        enable_utc=True,
        timezone="UTC",
    )
    app.conf.update(overrides)
    return app


def make_sender(broker_url: str, seconds: float) -> Celery:
    """An application that only sends, and gives up after about `seconds` without repeating."""
    return make_celery(
        broker_url,
        task_publish_retry=False,
        broker_connection_timeout=seconds,
        broker_transport_options={
            "max_retries": 0,
            "interval_start": 0,
            "interval_step": 0,
            "interval_max": 0,
            "socket_connect_timeout": seconds,
            "socket_timeout": seconds,
            "retry_on_timeout": False,
            "health_check_interval": 0,
        },
    )
