"""What frames a prompt: special tokens of published chat templates, and the tags of our prompts."""

import re

from siliconfriend.shipped import PROMPTS

BY_FAMILY = {
    "ChatML, Qwen": (
        *("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|vision_start|>", "<tool_call>"),
        *("</tool_call>", "<|object_ref_start|>", "<|fim_prefix|>", "<tool_response>", "<think>"),
    ),
    "Llama 2": ("[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<s>", "</s>", "<unk>", "<0x0A>"),
    "Llama 3 and 4": (
        *("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
        *("<|python_tag|>", "<|header_start|>", "<|eom_id|>"),
    ),
    "Mistral": (
        *("[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[ARGS]"),
        *("[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CONTENT]", "[CALL_ID]", "[THINK]", "[IMG]"),
        *("[/THINK]", "[IMG_BREAK]", "[IMG_END]", "[MODEL_SETTINGS]", "[PREFIX]", "[SUFFIX]"),
        *("[MIDDLE]", "[AUDIO]", "[BEGIN_AUDIO]", "[TRANSCRIBE]"),
    ),
    "Gemma": (
        *("<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<unused99>", "<start_of_image>"),
        *("<image_soft_token>", "<|turn>", "<turn|>", "<|channel>", "<channel|>", "<|tool_call>"),
        '<|"|>',
    ),
    "DeepSeek": (
        *("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
        *("<｜tool▁calls▁begin｜>", "<｜tool▁sep｜>", "<｜fim▁hole｜>", "</think>"),
    ),
    "Phi": ("<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|placeholder1|>"),
    "Command R": (
        *("<|START_OF_TURN_TOKEN|>", "<|SYSTEM_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<BOS_TOKEN>"),
        *("<EOP_TOKEN>", "<|START_THINKING|>", "<|CHATBOT_TOKEN|>"),
    ),
    "harmony": (
        *("<|start|>", "<|message|>", "<|channel|>", "<|return|>", "<|call|>", "<|constrain|>"),
    ),
    "GLM": ("[gMASK]", "<sop>", "<eop>", "<|observation|>"),
    "InternLM, Baichuan": ("<eoh>", "<eoa>", "<reserved_106>", "<|Bot|>"),
    "Hunyuan, Kimi, Seed, Ernie": (
        *("<｜hy_User｜>", "<|im_system|>", "<|im_middle|>", "<seed:bos>", "<|begin_of_sentence|>"),
    ),
    "EXAONE, MiniMax": ("[|system|]", "[|endofturn|]", "]~b]", "]~!b[", "[e~["),
    "Granite, Jamba, Nemotron": ("<|start_of_role|>", "<|bom|>", "<extra_id_0>", "<fim_prefix>"),
}
ALL = tuple(token for tokens in BY_FAMILY.values() for token in tokens)
TAGS = sorted(
    {
        tag
        for path in PROMPTS.glob("*/*.md")
        for tag in re.findall(r"<(\w+)", path.read_text("utf-8"))
    }
)
